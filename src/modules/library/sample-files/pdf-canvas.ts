export type Color = `#${string}`
export type Font = 'regular' | 'bold'
export type Rectangle = { x: number; y: number; width: number; height: number }
export type TextStyle = { size: number; color: Color; font?: Font; align?: 'left' | 'center' | 'right' }

/** Widths of Helvetica in thousandths of the size, from the space to the tilde. */
const widths: Record<Font, readonly number[]> = {
  regular: [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
  ],
  bold: [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
  ],
}
const defaultWidth = 556
const firstCode = 32

function widthOf(text: string, { size, font = 'regular' }: Pick<TextStyle, 'size' | 'font'>): number {
  const sum = [...text].reduce(
    (total, character) => total + (widths[font][character.charCodeAt(0) - firstCode] ?? defaultWidth),
    0,
  )
  return (sum * size) / 1_000
}

export function wrapText(text: string, width: number, style: Pick<TextStyle, 'size' | 'font'>): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const extended = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && widthOf(extended, style) <= width) lines[lines.length - 1] = extended
    else lines.push(word)
  }
  return lines
}

/** Characters that WinAnsiEncoding has at other codes than Unicode. */
const codes: Record<string, string> = { '€': '\\200', '–': '\\226', '’': '\\222' }
const encodeText = (text: string): string => text.replace(/[\\()]/g, '\\$&').replace(/[€–’]/g, (found) => codes[found]!)

const round = (value: number): string => String(Math.round(value * 100) / 100)
/** Distance of a control point from the end of a quarter circle, for the radius 1. */
const circle = 0.5523

/** Collects the drawing operators of a page. Coordinates start at the top left, in points. */
export function createCanvas(pageHeight: number) {
  const operators: string[] = []
  const at = (x: number, y: number) => `${round(x)} ${round(pageHeight - y)}`
  const rgb = (color: Color) =>
    [1, 3, 5].map((start) => round(Number.parseInt(color.slice(start, start + 2), 16) / 255)).join(' ')
  const canvas = {
    operators,
    box({ x, y, width, height }: Rectangle, color: Color, radius = 0) {
      const [right, bottom] = [x + width, y + height]
      const rest = radius * (1 - circle)
      operators.push(
        `${rgb(color)} rg ${at(x + radius, y)} m ${at(right - radius, y)} l`,
        `${at(right - rest, y)} ${at(right, y + rest)} ${at(right, y + radius)} c ${at(right, bottom - radius)} l`,
        `${at(right, bottom - rest)} ${at(right - rest, bottom)} ${at(right - radius, bottom)} c ${at(x + radius, bottom)} l`,
        `${at(x + rest, bottom)} ${at(x, bottom - rest)} ${at(x, bottom - radius)} c ${at(x, y + radius)} l`,
        `${at(x, y + rest)} ${at(x + rest, y)} ${at(x + radius, y)} c f`,
      )
    },
    line([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], color: Color, width = 0.75) {
      operators.push(`${rgb(color)} RG ${round(width)} w ${at(x1, y1)} m ${at(x2, y2)} l S`)
    },
    /** Draws a wave of four arcs. */
    wave({ x, y, width, height }: Rectangle, color: Color, lineWidth: number) {
      const step = width / 4
      const arcs = [0, 1, 2, 3].map((index) => {
        const [from, to] = index % 2 === 0 ? [y + height, y] : [y, y + height]
        const start = x + index * step
        return `${at(start + step / 2, from)} ${at(start + step / 2, to)} ${at(start + step, to)} c`
      })
      operators.push(`${rgb(color)} RG ${round(lineWidth)} w ${at(x, y + height)} m`, ...arcs, 'S')
    },
    text(text: string, [x, y]: readonly [number, number], style: TextStyle) {
      const { size, color, font = 'regular', align = 'left' } = style
      const shift = { left: 0, center: 0.5, right: 1 }[align] * widthOf(text, style)
      const name = font === 'bold' ? 'F2' : 'F1'
      operators.push(`BT ${rgb(color)} rg /${name} ${size} Tf ${at(x - shift, y)} Td (${encodeText(text)}) Tj ET`)
    },
    /** Writes wrapped lines from the baseline of the first one, and returns the baseline after the last one. */
    paragraph(text: string, [x, y]: readonly [number, number], width: number, style: TextStyle): number {
      const lines = wrapText(text, width, style)
      const leading = style.size * 1.45
      for (const [index, line] of lines.entries()) canvas.text(line, [x, y + index * leading], style)
      return y + lines.length * leading
    },
  }
  return canvas
}
export type Canvas = ReturnType<typeof createCanvas>
