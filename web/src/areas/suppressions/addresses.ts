const pattern = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]+$/

/** The addresses of a text in which they are separated by lines, commas, semicolons or blanks, each once. */
export function readAddresses(text: string): { addresses: string[]; wrong: string | undefined } {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const byKey = new Map(parts.map((part) => [part.toLowerCase(), part]))
  const addresses = [...byKey.values()]
  return { addresses, wrong: addresses.find((address) => !pattern.test(address)) }
}

/** The rows of a CSV file that are not empty, as an estimate: line breaks inside quotes count as rows. */
export const countRows = (csv: string): number => csv.split('\n').filter((line) => line.trim() !== '').length
