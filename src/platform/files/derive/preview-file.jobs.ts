import { createHash } from 'node:crypto'
import { newId } from '#platform/ids'
import { defineJob, defineJobHandler } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { storageKey } from '#platform/storage'
import { findFile, insertFile, updatePreview } from '../files.queries.ts'
import type { FilesContext } from '../purposes.ts'
import { type MediaMeasures, measureMedia } from './measure-media.ts'
import { runTool, withLocalCopy } from './run-tool.ts'

const thumbnailWidth = '480'

export const previewFileJob = defineJob('platform.preview_file', 'media', strict({ file_id: Id }))

type Preview = Partial<MediaMeasures> & {
  preview_state: 'ready' | 'unavailable' | 'failed'
  thumbnail?: Buffer
  page_count?: number | null
}

/** Creates a thumbnail and measures the file with poppler or ffmpeg. Without the program nothing is known, which is not an error. */
export const previewFileHandler = ({ storage }: Pick<FilesContext, 'storage'>) =>
  defineJobHandler(previewFileJob, async ({ inTenant, tenantId }, { file_id: id }) => {
    const file = await inTenant((tx) => findFile(tx, id))
    if (file?.preview_state !== 'pending') return
    const key = storageKey(tenantId, file.storage_area, id)
    const create = previewers.find(({ accepts }) => accepts.test(file.media_type))?.create
    const preview: Preview = create
      ? await withLocalCopy(storage, key, (path) => create(path, file.media_type))
      : { preview_state: 'unavailable' }
    const { thumbnail, ...changes } = preview
    const thumbnailId = newId()
    const thumbnailKey = storageKey(tenantId, 'files', thumbnailId)
    if (thumbnail) await storage.put(thumbnailKey, thumbnail)
    const isSaved = await inTenant(async (tx) => {
      // Locks the file, so that a concurrent deletion finds the thumbnail.
      if (!(await updatePreview(tx, id, { ...changes, thumbnail_file_id: null }))) return false
      if (!thumbnail) return true
      await insertFile(tx, {
        id: thumbnailId,
        purpose: file.purpose,
        filename: 'thumbnail.jpg',
        media_type: 'image/jpeg',
        size_bytes: thumbnail.length,
        sha256: createHash('sha256').update(thumbnail).digest(),
        scan_status: 'skipped',
        scan_engine: 'none',
        uploaded_by: null,
        declared_type: null,
      })
      return await updatePreview(tx, id, { preview_state: changes.preview_state, thumbnail_file_id: thumbnailId })
    })
    if (thumbnail && !isSaved) await storage.delete(thumbnailKey)
  })

const previewers: readonly { accepts: RegExp; create(path: string, mediaType: string): Promise<Preview> }[] = [
  { accepts: /^application\/pdf$/, create: previewPdf },
  { accepts: /^(image|video)\//, create: previewMedia },
  { accepts: /^audio\//, create: previewAudio },
]

async function previewPdf(path: string): Promise<Preview> {
  const size = ['-scale-to-x', thumbnailWidth, '-scale-to-y', '-1']
  const page = await runTool('pdftoppm', ['-jpeg', '-singlefile', '-f', '1', '-l', '1', ...size, path], path)
  const info = await runTool('pdfinfo', [path], path)
  const pages = typeof info === 'string' ? null : /^Pages:\s+(\d{1,5})$/m.exec(info.output.toString())?.[1]
  return { ...toPreview(page), page_count: pages ? Number(pages) : null }
}

async function previewMedia(path: string, mediaType: string): Promise<Preview> {
  const scale = ['-vf', `scale=${thumbnailWidth}:-2`, '-frames:v', '1', '-f', 'mjpeg', 'pipe:1']
  // One thread, because every other one reserves address space.
  const threads = ['-threads', '1', '-filter_threads', '1']
  const input = ['-v', 'error', '-protocol_whitelist', 'file,pipe', ...threads, '-i', path]
  const frame = await runTool('ffmpeg', [...input, ...scale], path)
  return { ...toPreview(frame), ...(await measureMedia(path, mediaType)) }
}

async function previewAudio(path: string, mediaType: string): Promise<Preview> {
  return { preview_state: 'unavailable', ...(await measureMedia(path, mediaType)) }
}

function toPreview(result: Awaited<ReturnType<typeof runTool>>): Preview {
  if (typeof result === 'string') return { preview_state: result === 'missing' ? 'unavailable' : 'failed' }
  return result.output.length ? { preview_state: 'ready', thumbnail: result.output } : { preview_state: 'failed' }
}
