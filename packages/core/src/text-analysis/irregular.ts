/** English words whose forms share no stem: "went" is found by "go", "children" by "child". */

const VERBS =
  'arise arose arisen|awake awoke awoken|bear bore|beat beaten|become became|begin began begun|bend bent|bite bit bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|do did done does|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone goes|grow grew grown|hang hung|have had has|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|withdraw withdrew withdrawn|write wrote written|be is are was were been am'
const NOUNS =
  'child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|wife wives|life lives|knife knives|leaf leaves|shelf shelves|index indices|matrix matrices|vertex vertices|datum data'

const BASES: ReadonlyMap<string, string> = new Map(
  `${VERBS}|${NOUNS}`.split('|').flatMap((group) => {
    const [base = '', ...forms] = group.split(' ')
    return forms.map((form) => [form, base] as const)
  }),
)

/** The word that an irregular form belongs to, or the word as given. */
export const baseOf = (word: string): string => BASES.get(word) ?? word
