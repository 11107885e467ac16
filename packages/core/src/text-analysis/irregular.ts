/**
 * English words whose forms share no stem: "went" is found by "go", "children" by "child". Forms that are as often a form
 * of another word ("leaves", "lives", "lay") are left to the stemmer.
 */

const VERBS =
  'arise arose arisen|awake awoke awoken|bear bore|beat beaten|become became|begin began begun|bend bent|bid bade bidden|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|do did done does|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|dwell dwelt|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone goes|grind ground|grow grew grown|hang hung|have had has|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|leave left|lend lent|lie lain|light lit|lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|override overrode overridden|overtake overtook overtaken|overwrite overwrote overwritten|pay paid|prove proven|rebuild rebuilt|redo redid redone|rewrite rewrote rewritten|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|smell smelt|speak spoke spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun|spit spat|spoil spoilt|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|stink stank stunk|stride strode|strike struck|string strung|strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|tread trod trodden|undergo underwent undergone|understand understood|undertake undertook undertaken|undo undid undone|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|wind wound|withdraw withdrew withdrawn|wring wrung|write wrote written|be is are was were been am'
const NOUNS =
  'child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|louse lice|ox oxen|wife wives|knife knives|half halves|loaf loaves|scarf scarves|shelf shelves|thief thieves|wolf wolves|analysis analyses|appendix appendices|crisis crises|criterion criteria|datum data|hypothesis hypotheses|index indices|matrix matrices|phenomenon phenomena|vertex vertices'

const BASES: ReadonlyMap<string, string> = new Map(
  `${VERBS}|${NOUNS}`.split('|').flatMap((group) => {
    const [base = '', ...forms] = group.split(' ')
    return forms.map((form) => [form, base] as const)
  }),
)

/** The base form of an irregular English form (`went` gives `go`); any other word is returned as it is. */
export const baseForm = (word: string): string => BASES.get(word) ?? word
