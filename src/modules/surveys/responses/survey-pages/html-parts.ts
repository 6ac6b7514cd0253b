import { icons, renderIcon } from '#platform/html'

export { attributes } from '#platform/html'

const icon = (size: number, width: number, content: string) => renderIcon(content, size, width)

export const warningIcon = (size: number) => icon(size, 2, icons.warning)
export const checkIcon = (size: number) => icon(size, 2.8, icons.check)
export const closedIcon = icon(
  24,
  2,
  '<path d="M8 2v3M16 2v3"/><rect x="3" y="3" width="18" height="18" rx="2"/><path d="M3 9h18M14 13l-4 4M10 13l4 4"/>',
)
export const pauseIcon = icon(24, 2.4, '<path d="M9 5v14M15 5v14"/>')
export const starIcon = icon(
  22,
  1.8,
  '<path d="m12 3 2.8 5.7 6.2.9-4.5 4.4 1.1 6.2-5.6-2.9-5.6 2.9 1.1-6.2L3 9.6l6.2-.9z"/>',
)

export function faceIcon(happiness: number): string {
  const bend = Math.round((happiness - 0.5) * 10)
  return icon(26, 1.8, `<circle cx="12" cy="12" r="10"/><path d="M9 9.5h.01M15 9.5h.01M8 15.5q4 ${bend} 8 0"/>`)
}
