import type { Random } from '#platform/module'
import { sampleFiles } from '../sample-files/sample-files.ts'
import { fileOfContent } from './sample-library.ts'

export type PlannedView = {
  content: number
  startedAt: Date
  seconds: number
  /** Null for content without pages or a duration. */
  progress: number | null
  maxPage: number | null
  pageSeconds: Record<string, number> | null
  isCompleted: boolean
  isDownloaded: boolean
}

const completedProgress = 0.9
const completedSeconds = 10
const downloadChance = 0.12
/** Buyers read the pages with prices longer than others. */
const slowPages: Partial<Record<number, number>> = { 1: 0.5, 6: 2.5 }

export function planView(content: number, random: Random, startedAt: Date): PlannedView {
  const name = fileOfContent(content)
  const { pages, seconds: duration } = name ? sampleFiles[name] : {}
  const view = { content, startedAt, isDownloaded: pages !== undefined && random.chance(downloadChance) }
  if (duration !== undefined) {
    const progress = random.chance(0.6) ? 1 : random.integer(20, 85) / 100
    const seconds = Math.max(1, Math.round(duration * progress))
    return { ...view, seconds, progress, maxPage: null, pageSeconds: null, isCompleted: progress >= completedProgress }
  }
  if (pages === undefined) {
    const seconds = random.integer(6, 70)
    return {
      ...view,
      seconds,
      progress: null,
      maxPage: null,
      pageSeconds: null,
      isCompleted: seconds >= completedSeconds,
    }
  }
  const maxPage = random.chance(0.45) ? pages : random.integer(1, pages)
  const read = Array.from({ length: maxPage }, (_, index): [string, number] => {
    const page = index + 1
    return [String(page), Math.max(1, Math.round(random.integer(4, 22) * (slowPages[page] ?? 1)))]
  })
  const progress = Math.round((maxPage / pages) * 10_000) / 10_000
  return {
    ...view,
    seconds: read.reduce((sum, [, seconds]) => sum + seconds, 0),
    progress,
    maxPage,
    pageSeconds: Object.fromEntries(read),
    isCompleted: progress >= completedProgress,
  }
}
