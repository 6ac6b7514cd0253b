import { adversarialTexts } from './adversarial-texts.ts'
import type { Pattern } from './source-patterns.ts'

const candidates = 4
const attempts = 10
const repetitions = 3
const minSampleMs = 0.2
/** Shorter times are mostly those of the call itself. */
const resolutionMs = 0.01
const hopelessMs = 50

export type Growth = { milliseconds: number; factor: number }

/** Measures a pattern at the length of its longest text and at twice this length, with the texts that take longest. */
export function measureGrowth({ source, flags }: Pattern, maxLength: number): Growth {
  const pattern = new RegExp(source, flags)
  const short = [...adversarialTexts(source, Math.ceil(maxLength / 8))]
  timeOnce(pattern, short[0]!, 100)
  const timed = short.map((text, index) => ({ index, ms: Math.min(timeOnce(pattern, text), timeOnce(pattern, text)) }))
  const slowest = timed.sort((one, other) => other.ms - one.ms).slice(0, candidates)
  const [texts, doubled] = [[...adversarialTexts(source, maxLength)], [...adversarialTexts(source, 2 * maxLength)]]
  const growths = slowest.map(({ index }) => measureText(pattern, texts[index]!, doubled[index]!))
  return {
    milliseconds: Math.max(...growths.map(({ milliseconds }) => milliseconds)),
    factor: Math.max(...growths.map(({ factor }) => factor)),
  }
}

/** Takes the best of several attempts, because other work can only make one slower. */
function measureText(pattern: RegExp, text: string, doubled: string): Growth {
  let best: Growth = { milliseconds: Number.POSITIVE_INFINITY, factor: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < attempts && best.factor > 2; attempt++) {
    const short = fastestMs(pattern, text)
    if (short > hopelessMs) return { ...best, milliseconds: short }
    const factor = Math.max(fastestMs(pattern, doubled), resolutionMs) / Math.max(short, resolutionMs)
    best = { milliseconds: Math.min(best.milliseconds, short), factor: Math.min(best.factor, factor) }
  }
  return best
}

function fastestMs(pattern: RegExp, text: string): number {
  const rounds = Math.max(1, Math.ceil(minSampleMs / Math.max(timeOnce(pattern, text), 0.000_1)))
  const samples = Array.from({ length: repetitions }, () => timeOnce(pattern, text, rounds) / rounds)
  return Math.min(...samples)
}

/** Finds all matches in the text, as `replaceAll` does. Reads the wall clock: the one of processor time can tick in milliseconds. */
function timeOnce(pattern: RegExp, text: string, rounds = 1): number {
  const global = new RegExp(pattern.source, `${pattern.flags}g`)
  const before = performance.now()
  for (let round = 0; round < rounds; round++)
    for (let match = global.exec(text); match; match = global.exec(text)) if (match[0] === '') global.lastIndex++
  return performance.now() - before
}
