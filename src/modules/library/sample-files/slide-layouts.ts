import { brand, ink, muted, pale, paleText, panel, rule, soft, white } from './colors.ts'
import type { Canvas } from './pdf-canvas.ts'
import type { DrawPage } from './pdf-writer.ts'

export const slideSize = { width: 960, height: 540 }
const left = 66
const right = slideSize.width - 66
const contentWidth = right - left
const gap = 20
const rowHeight = 46

export function titleSlide(title: string, subtitle: string, note: string): DrawPage {
  return (canvas) => {
    canvas.box({ x: 0, y: 0, ...slideSize }, brand)
    for (const row of [0, 1, 2, 3]) canvas.wave({ x: 540, y: 190 + row * 95, width: 560, height: 72 }, '#3c9275', 9)
    canvas.text('Proposal', [left, 78], { size: 18, color: white, font: 'bold' })
    canvas.text(title, [left, 262], { size: 62, color: white, font: 'bold' })
    canvas.text(subtitle, [left, 318], { size: 24, color: white })
    canvas.text(note, [left, 482], { size: 17, color: paleText })
  }
}

/** A page with a colored edge, a heading, a footer and the number of the page. */
const slide =
  (heading: string, footer: string, draw: (canvas: Canvas) => void): DrawPage =>
  (canvas, { number }) => {
    canvas.box({ x: 0, y: 0, width: 12, height: slideSize.height }, brand)
    canvas.text(heading, [left, 86], { size: 32, color: ink, font: 'bold' })
    draw(canvas)
    canvas.text(footer, [left, 506], { size: 11, color: soft })
    canvas.text(String(number), [right, 506], { size: 11, color: soft, align: 'right' })
  }

export type Card = { title: string; text: string }

/** Two cards per row. */
export const cardsSlide = (heading: string, footer: string, cards: readonly Card[]): DrawPage =>
  slide(heading, footer, (canvas) => {
    const width = (contentWidth - gap) / 2
    const height = 340 / Math.ceil(cards.length / 2) - gap
    for (const [index, { title, text }] of cards.entries()) {
      const x = left + (index % 2) * (width + gap)
      const y = 124 + Math.floor(index / 2) * (height + gap)
      canvas.box({ x, y, width, height }, panel, 10)
      canvas.text(title, [x + 26, y + 42], { size: 19, color: ink, font: 'bold' })
      canvas.paragraph(text, [x + 26, y + 74], width - 52, { size: 15, color: soft })
    }
  })

export type Figure = { value: string; label: string }

export const figuresSlide = (
  heading: string,
  footer: string,
  { figures, text }: { figures: readonly Figure[]; text: string },
): DrawPage =>
  slide(heading, footer, (canvas) => {
    const width = (contentWidth - gap * (figures.length - 1)) / figures.length
    for (const [index, { value, label }] of figures.entries()) {
      const x = left + index * (width + gap)
      canvas.box({ x, y: 130, width, height: 190 }, panel, 10)
      canvas.text(value, [x + 26, 206], { size: 48, color: brand, font: 'bold' })
      canvas.paragraph(label, [x + 26, 250], width - 52, { size: 16, color: ink })
    }
    canvas.paragraph(text, [left, 372], contentWidth, { size: 17, color: soft })
  })

export type Table = {
  columns: readonly { name: string; right: number }[]
  rows: readonly (readonly string[])[]
  total?: readonly string[]
  note?: string
}

/** The first column is at the left; the others end at `right`, in points from the left. */
export const tableSlide = (heading: string, footer: string, { columns, rows, total, note }: Table): DrawPage =>
  slide(heading, footer, (canvas) => {
    const writeRow = (
      cells: readonly string[],
      y: number,
      style: { size: number; color: `#${string}`; font?: 'bold' },
    ) => {
      for (const [index, cell] of cells.entries())
        if (index === 0) canvas.text(cell, [left, y], style)
        else canvas.text(cell, [left + columns[index]!.right, y], { ...style, align: 'right' })
    }
    const top = 140
    writeRow(
      columns.map(({ name }) => name),
      top,
      { size: 13, color: soft },
    )
    canvas.line([left, top + 14], [right, top + 14], rule)
    for (const [index, row] of rows.entries()) {
      const y = top + 14 + (index + 1) * rowHeight
      writeRow(row, y - 17, { size: 16, color: ink })
      canvas.line([left, y], [right, y], rule)
    }
    const end = top + 14 + rows.length * rowHeight
    if (total) writeRow(total, end + 32, { size: 19, color: ink, font: 'bold' })
    if (note) canvas.text(note, [left, end + (total ? 74 : 40)], { size: 13, color: soft })
  })

export type Phase = { name: string; from: number; to: number }
const phaseColors = ['#0e7a57', '#278c6b', '#489a80', '#66ab94', '#84bba8'] as const

export const timelineSlide = (
  heading: string,
  footer: string,
  { phases, weeks }: { phases: readonly Phase[]; weeks: number },
): DrawPage =>
  slide(heading, footer, (canvas) => {
    const start = left + 210
    const week = (right - start) / weeks
    for (let number = 1; number <= weeks; number++)
      canvas.text(String(number), [start + (number - 0.5) * week, 134], { size: 12, color: soft, align: 'center' })
    canvas.text('Week', [left, 134], { size: 12, color: soft })
    for (const [index, { name, from, to }] of phases.entries()) {
      const y = 152 + index * 60
      canvas.line([left, y], [right, y], rule)
      canvas.text(name, [left, y + 36], { size: 16, color: ink })
      const bar = { x: start + (from - 1) * week, y: y + 17, width: (to - from + 1) * week, height: 26 }
      canvas.box(bar, phaseColors[index % phaseColors.length]!, 6)
    }
  })

export type Bar = { label: string; value: number; isPast?: boolean }

export const barsSlide = (
  heading: string,
  footer: string,
  { bars, caption }: { bars: readonly Bar[]; caption: string },
): DrawPage =>
  slide(heading, footer, (canvas) => {
    const [top, bottom] = [150, 410]
    const width = (contentWidth - gap * (bars.length - 1)) / bars.length
    const most = Math.max(...bars.map(({ value }) => value))
    for (const [index, { label, value, isPast }] of bars.entries()) {
      const x = left + index * (width + gap)
      const height = ((bottom - top) * value) / most
      canvas.box({ x, y: bottom - height, width, height }, isPast ? muted : brand, 4)
      const middle = x + width / 2
      canvas.text(value.toLocaleString('en'), [middle, bottom - height - 9], {
        size: 14,
        color: ink,
        font: 'bold',
        align: 'center',
      })
      canvas.text(label, [middle, bottom + 22], { size: 13, color: soft, align: 'center' })
    }
    canvas.line([left, bottom], [right, bottom], muted, 1)
    canvas.text(caption, [left, 462], { size: 14, color: soft })
  })

export type Colleague = { name: string; task: string; text: string }

export const peopleSlide = (heading: string, footer: string, people: readonly Colleague[]): DrawPage =>
  slide(heading, footer, (canvas) => {
    const width = (contentWidth - gap * (people.length - 1)) / people.length
    for (const [index, { name, task, text }] of people.entries()) {
      const x = left + index * (width + gap)
      const middle = x + width / 2
      canvas.box({ x, y: 124, width, height: 300 }, panel, 10)
      canvas.box({ x: middle - 38, y: 152, width: 76, height: 76 }, pale, 38)
      const initials = name.replace(/[^A-Z]/g, '')
      canvas.text(initials, [middle, 199], { size: 25, color: ink, font: 'bold', align: 'center' })
      canvas.text(name, [middle, 268], { size: 19, color: ink, font: 'bold', align: 'center' })
      canvas.text(task, [middle, 294], { size: 15, color: brand, font: 'bold', align: 'center' })
      canvas.paragraph(text, [x + 26, 330], width - 52, { size: 14, color: soft })
    }
  })
