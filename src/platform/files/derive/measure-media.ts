import { runTool } from './run-tool.ts'

export type MediaMeasures = { width: number | null; height: number | null; duration_seconds: number | null }

const probeArguments = [
  '-v',
  'error',
  '-protocol_whitelist',
  'file,pipe',
  '-print_format',
  'json',
  '-show_entries',
  'stream=width,height:format=duration',
]
const maxPixels = 1_000_000
const maxSeconds = 9_999_999

/** Measures an image, video or audio file. Without ffprobe, or for a damaged file, nothing is known. */
export async function measureMedia(path: string, mediaType: string): Promise<MediaMeasures> {
  const result = await runTool('ffprobe', [...probeArguments, path], path)
  return toMeasures(typeof result === 'string' ? '' : result.output.toString(), mediaType)
}

type Probe = { streams?: { width?: unknown; height?: unknown }[]; format?: { duration?: unknown } }

/** An image has no duration, also if it is animated. */
export function toMeasures(output: string, mediaType: string): MediaMeasures {
  const { streams = [], format = {} } = parseProbe(output)
  const picture = streams.find(({ width, height }) => toPixels(width) !== null && toPixels(height) !== null)
  const hasPicture = !mediaType.startsWith('audio/')
  const seconds = Math.round(Number(format.duration) * 1_000) / 1_000
  const hasDuration = !mediaType.startsWith('image/') && seconds > 0 && seconds <= maxSeconds
  return {
    width: hasPicture ? toPixels(picture?.width) : null,
    height: hasPicture ? toPixels(picture?.height) : null,
    duration_seconds: hasDuration ? seconds : null,
  }
}

function parseProbe(output: string): Probe {
  try {
    return JSON.parse(output) as Probe
  } catch {
    return {}
  }
}

const toPixels = (value: unknown): number | null =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxPixels ? Number(value) : null
