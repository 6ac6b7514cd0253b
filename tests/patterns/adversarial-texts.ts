const commonCharacters = [...' \t\n\raA0-._/<>"\'@:;,=?!%+*#~|&()[]{}\\é\u0301\0']
const endings = ['', '\0', '!', ' ']

/** Returns texts that repeat parts of the pattern, so that it almost matches at many positions. */
export function* adversarialTexts(source: string, length: number): Generator<string> {
  const literals = source.replace(/\\[pP]\{[^}]*\}|\\[A-Za-z]|[\\^$]/g, ' ')
  const wordsOf = (characters: RegExp) => [...new Set(literals.match(characters))].slice(0, 6)
  const words = [...new Set([...wordsOf(/[A-Za-z0-9{<:@"_-]{2,}/g), ...wordsOf(/[^\s()[\]{}*+?|.]{2,}/g)])]
  const characters = [...new Set([...literals, ...commonCharacters])]
  const parts = [...characters, ...words, ...words.flatMap((word) => [`${word} `, `${word}.`, `${word}-`, ` ${word}`])]
  for (const start of ['', ...words.slice(0, 2)])
    for (const part of parts)
      for (const end of endings) yield `${start}${part.repeat(Math.ceil(length / part.length))}`.slice(0, length) + end
}
