import { type Phrase, toPhrase } from '../phrases.rules.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { type Filler, type Language, type Lexicon, languages } from './lexicon.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

export const lexicons: Record<Language, Lexicon> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
}

type CompiledFiller = Omit<Filler, 'phrase'> & { phrase: Phrase }

/** A lexicon whose phrases are split into words. */
export type CompiledLexicon = {
  lexicon: Lexicon
  connectors: ReadonlySet<string>
  openStarters: readonly Phrase[]
  openStartersWithMark: readonly Phrase[]
  fillers: readonly CompiledFiller[]
  nextSteps: readonly Phrase[]
  timePhrases: readonly Phrase[]
  empathy: readonly Phrase[]
  priceWords: readonly Phrase[]
}

const compiled = new Map<Language, CompiledLexicon>()

/** Accepts language tags such as `de-AT`. English is used for other languages. */
export function lexiconOf(tag: string): CompiledLexicon {
  const primary = tag.toLowerCase().split('-')[0]
  const language = languages.find((known) => known === primary) ?? 'en'
  const existing = compiled.get(language) ?? compileLexicon(lexicons[language])
  compiled.set(language, existing)
  return existing
}

function compileLexicon(lexicon: Lexicon): CompiledLexicon {
  const toPhrases = (texts: readonly string[]) => texts.map((text) => toPhrase(text, lexicon))
  return {
    lexicon,
    connectors: new Set(toPhrases(lexicon.connectors).flatMap(({ tokens }) => tokens.map(({ folded }) => folded))),
    openStarters: toPhrases(lexicon.openStarters),
    openStartersWithMark: toPhrases(lexicon.openStartersWithMark),
    fillers: lexicon.fillers.map((entry) => {
      const filler: Filler = typeof entry === 'string' ? { phrase: entry } : entry
      return { ...filler, phrase: toPhrase(filler.phrase, lexicon) }
    }),
    nextSteps: toPhrases(lexicon.nextSteps),
    timePhrases: toPhrases(lexicon.timePhrases),
    empathy: toPhrases(lexicon.empathy),
    priceWords: toPhrases(lexicon.priceWords),
  }
}

/** Names the words that a score was calculated with, such as `en-1`. */
export const lexiconNameOf = ({ lexicon: { language, version } }: CompiledLexicon): string => `${language}-${version}`
