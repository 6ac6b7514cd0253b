import { brand, ink, pale, panel, rule, soft } from './colors.ts'
import type { Canvas } from './pdf-canvas.ts'
import { type DrawPage, writePdf } from './pdf-writer.ts'

const size = { width: 595, height: 842 }
const left = 64
const right = size.width - left
const contentWidth = right - left

export type Fact = { value: string; label: string }
export type Block =
  | { heading: string }
  | { text: string }
  | { points: readonly string[] }
  | { facts: readonly Fact[] }
  | { quote: string; by: string }

export type Paper = {
  title: string
  /** Stands above the title, such as "Customer story". */
  label: string
  subtitle: string
  /** A colored cover; otherwise a white one. */
  hasColoredCover?: boolean
  cover: readonly Block[]
  pages: readonly { heading: string; blocks: readonly Block[] }[]
}

/** Writes a document in A4: a cover and one page for each heading. */
export const writePaper = (paper: Paper): Buffer =>
  writePdf(paper.title, size, [
    coverPage(paper),
    ...paper.pages.map(
      ({ heading, blocks }): DrawPage =>
        (canvas, { number }) => {
          canvas.text(paper.title, [left, 54], { size: 9, color: soft })
          canvas.line([left, 66], [right, 66], rule)
          canvas.text(heading, [left, 116], { size: 24, color: ink, font: 'bold' })
          drawBlocks(canvas, blocks, 152)
          drawNumber(canvas, number)
        },
    ),
  ])

function coverPage({ title, label, subtitle, hasColoredCover, cover }: Paper): DrawPage {
  return (canvas, { number }) => {
    const y = hasColoredCover ? 350 : 96
    if (hasColoredCover) drawSkyline(canvas)
    canvas.box({ x: left, y, width: 24 + label.length * 5.6, height: 22 }, pale, 11)
    canvas.text(label, [left + 12, y + 15], { size: 10, color: brand, font: 'bold' })
    const afterTitle = canvas.paragraph(title, [left, y + 62], contentWidth, { size: 34, color: ink, font: 'bold' })
    const end = canvas.paragraph(subtitle, [left, afterTitle - 8], contentWidth, { size: 15, color: soft })
    drawBlocks(canvas, cover, end + 24)
    drawNumber(canvas, number)
  }
}

/** A colored area with the outlines of buildings. */
function drawSkyline(canvas: Canvas): void {
  const bottom = 300
  canvas.box({ x: 0, y: 0, width: size.width, height: bottom }, brand)
  for (const [index, height] of [130, 190, 110, 170, 90].entries()) {
    const [x, width] = [64 + index * 98, 74]
    const top = bottom - height
    const outline = [
      [x, bottom],
      [x, top],
      [x + width / 2, top - 24],
      [x + width, top],
      [x + width, bottom],
    ] as const
    for (const [corner, next] of outline.slice(1).entries()) canvas.line(outline[corner]!, next, '#7fb9a3', 2)
  }
}

function drawNumber(canvas: Canvas, number: number): void {
  canvas.text(String(number), [right, 800], { size: 9, color: soft, align: 'right' })
}

function drawBlocks(canvas: Canvas, blocks: readonly Block[], start: number): void {
  let y = start
  for (const block of blocks) y = drawBlock(canvas, block, y)
}

const body = { size: 13, color: ink } as const

function drawBlock(canvas: Canvas, block: Block, y: number): number {
  if ('heading' in block) {
    canvas.text(block.heading, [left, y + 8], { size: 16, color: ink, font: 'bold' })
    return y + 36
  }
  if ('text' in block) return canvas.paragraph(block.text, [left, y], contentWidth, body) + 12
  if ('points' in block) {
    let next = y
    for (const point of block.points) {
      canvas.box({ x: left + 2, y: next - 6.5, width: 5, height: 5 }, brand, 2.5)
      next = canvas.paragraph(point, [left + 18, next], contentWidth - 18, body) + 6
    }
    return next + 8
  }
  return 'facts' in block ? drawFacts(canvas, block.facts, y) : drawQuote(canvas, block, y)
}

function drawFacts(canvas: Canvas, facts: readonly Fact[], y: number): number {
  const gap = 14
  const width = (contentWidth - gap * (facts.length - 1)) / facts.length
  for (const [index, { value, label }] of facts.entries()) {
    const x = left + index * (width + gap)
    canvas.box({ x, y: y - 6, width, height: 92 }, panel, 8)
    canvas.text(value, [x + 16, y + 32], { size: 25, color: brand, font: 'bold' })
    canvas.paragraph(label, [x + 16, y + 54], width - 32, { size: 11, color: ink })
  }
  return y + 120
}

function drawQuote(canvas: Canvas, { quote, by }: { quote: string; by: string }, y: number): number {
  const style = { size: 15, color: ink, font: 'bold' } as const
  const end = canvas.paragraph(quote, [left + 22, y + 16], contentWidth - 22, style)
  canvas.text(by, [left + 22, end + 2], { size: 11, color: soft })
  canvas.box({ x: left, y, width: 4, height: end - y + 8 }, brand, 2)
  return end + 44
}
