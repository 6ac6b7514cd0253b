import { buffer } from 'node:stream/consumers'
import { type BlobStore, storageKey } from '#platform/storage'
import type { FileRow } from '../files.queries.ts'
import { runTool, withLocalCopy } from './run-tool.ts'

export type ExtractedAudio = { bytes: Buffer; mediaType: string }

/** Mono Opus, which speech recognition understands well; half an hour has about 5 MB. */
const output = ['-vn', '-ac', '1', '-c:a', 'libopus', '-b:a', '24k', '-f', 'ogg', 'pipe:1']

type AudioSource = Pick<FileRow, 'id' | 'media_type' | 'size_bytes' | 'storage_area'>

/** Without ffmpeg, only audio files that are small enough can be used, as they are. */
export async function canExtractAudio(file: AudioSource, maxBytes: number): Promise<boolean> {
  return isSmallAudio(file, maxBytes) || (await runTool('ffmpeg', ['-version'])) !== 'missing'
}

/** Returns the sound of a recording; `missing` without ffmpeg, `failed` if the file cannot be decoded. */
export async function extractAudio(
  storage: BlobStore,
  tenantId: string,
  file: AudioSource,
  maxBytes: number,
): Promise<ExtractedAudio | 'missing' | 'failed'> {
  const key = storageKey(tenantId, file.storage_area, file.id)
  const input = ['-v', 'error', '-protocol_whitelist', 'file,pipe', '-threads', '1', '-i']
  const result = await withLocalCopy(storage, key, (path) => runTool('ffmpeg', [...input, path, ...output], path))
  if (typeof result !== 'string')
    return result.output.length && result.output.length <= maxBytes
      ? { bytes: result.output, mediaType: 'audio/ogg' }
      : 'failed'
  if (result === 'missing' && isSmallAudio(file, maxBytes))
    return { bytes: await buffer((await storage.get(key)).stream), mediaType: file.media_type }
  return result
}

const isSmallAudio = ({ media_type, size_bytes }: AudioSource, maxBytes: number) =>
  media_type.startsWith('audio/') && size_bytes <= maxBytes
