const longest = 50

/** The tags of a text with commas, each once. */
export const parseTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim().slice(0, longest))
      .filter((tag) => tag !== ''),
  ),
]
