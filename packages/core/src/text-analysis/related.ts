/**
 * Words near in meaning, for questions alone: who asks for "instruments" hears of a guitar. Everyday words, few and plain;
 * large thesauri bring in more that is wrong than right.
 */
import { termOf, type Term } from './words.ts'

/** Words that may stand for each other. */
const ALIKE =
  'kid child|mom mother mum|dad father|husband wife spouse partner|boyfriend girlfriend partner|friend buddy pal|photo picture pic image|movie film|job career profession work|company business firm startup|store shop|buy purchase|begin start launch|finish complete|like love enjoy favorite|hate dislike|happy glad excited thrilled|sad upset|scared afraid frightened nervous|trip travel vacation journey|house home apartment|car vehicle|sick ill illness disease|doctor physician hospital clinic|exercise workout gym fitness|game match|teacher professor|exam test|gift present|money cash salary|help support assist|advice tip suggestion recommend|plan intend|goal dream aim ambition|problem issue trouble challenge difficulty struggle|win award prize trophy|accident crash|repair fix|live reside|move relocate|speak talk chat discuss|say tell mention|meet encounter|think believe opinion|decide decision|choose choice|reason motive inspire|big large huge|small little tiny|error bug failure exception|folder directory|delete remove|change modify update|config configuration setting|database db|auth login authentication|deploy release'
/** What is asked for, and what it may be. */
const KINDS =
  'parent: mother father mom dad|sibling: brother sister|child: son daughter baby toddler|family: mother father brother sister son daughter wife husband kid|pet animal: dog cat puppy kitten fish rabbit hamster bird parrot turtle snake horse|instrument: guitar piano violin drum flute clarinet cello saxophone trumpet keyboard ukulele bass|music musician artist: song band singer concert album tune|art: paint draw sculpture pottery sketch|sport: football basketball soccer tennis baseball golf swim run surf ski hockey volleyball boxing climb|hobby activity: paint hike swim run cook bake garden read dance camp yoga photography knit pottery|exercise: run yoga swim gym weights|outdoors nature: hike camp mountain beach park forest lake trail|food meal dish: cook recipe dinner lunch breakfast cake salad soup pizza pasta chicken|dessert: cake pie cookie cream chocolate|drink: coffee tea wine beer juice|book: novel read author series|movie: watch film cinema|event: party festival ceremony parade concert conference celebration|holiday: christmas thanksgiving easter halloween|country: usa canada mexico france germany italy spain england ireland japan china india brazil australia|city: paris london rome berlin tokyo york boston chicago seattle francisco|state: california florida oregon texas washington colorado michigan|color: red blue green yellow purple pink orange black white|vehicle: car truck bike motorcycle van|school education degree: college university class course study graduate|volunteer charity: shelter donate fundraiser homeless community|religion: church faith god pray|health: doctor hospital sick injury pain|emotion feeling: happy sad excited proud nervous grateful|marry wedding marriage: husband wife engaged|job: promotion manager hire company interview|language: python javascript typescript java rust go|database: postgresql mysql sqlite redis mongodb|framework: react django fastapi express next|test: spec jest pytest coverage|deployment: docker kubernetes nginx production'

const RELATED: ReadonlyMap<number, readonly Term[]> = (() => {
  const found = new Map<number, Map<number, Term>>()
  const relate = (from: Term, to: Term): void => {
    if (from.hash === to.hash) return
    const list = found.get(from.hash) ?? new Map<number, Term>()
    found.set(from.hash, list.set(to.hash, to))
  }
  for (const group of ALIKE.split('|')) {
    const terms = group.split(' ').map(termOf)
    for (const from of terms) for (const to of terms) relate(from, to)
  }
  for (const group of KINDS.split('|')) {
    const [kinds = '', members = ''] = group.split(': ')
    for (const kind of kinds.split(' ')) for (const member of members.split(' ')) relate(termOf(kind), termOf(member))
  }
  return new Map([...found].map(([hash, list]) => [hash, [...list.values()]]))
})()

/** Terms that say much the same as a term, or name what it is a word for. */
export const relatedTo = (hash: number): readonly Term[] => RELATED.get(hash) ?? []
