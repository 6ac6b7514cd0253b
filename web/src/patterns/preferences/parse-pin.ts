export type Pin = { path: string; label: string }

export function parsePin(text: string): Pin {
  const end = `${text} `.indexOf(' ')
  return { path: text.slice(0, end), label: text.slice(end + 1) }
}
