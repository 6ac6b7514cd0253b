import { defineJob, defineJobHandler } from '#platform/jobs'
import { Id, isStorableText, strict } from '#platform/schema'
import { storageKey } from '#platform/storage'
import { readBlob } from '../file-integrity.ts'
import { type FileRow, findFile, updateExtractedText } from '../files.queries.ts'
import { type FilesContext, getPurpose } from '../purposes.ts'
import { readOfficeText } from './office-text.ts'
import { runTool, withLocalCopy } from './run-tool.ts'

const maxCharacters = 200_000
const maxTextBytes = 800_000

export const extractTextJob = defineJob('platform.extract_text', 'media', strict({ file_id: Id }))

export const extractTextHandler = ({ storage, purposes }: Pick<FilesContext, 'storage' | 'purposes'>) =>
  defineJobHandler(extractTextJob, async ({ inTenant, tenantId }, { file_id: id }) => {
    const file = await inTenant((tx) => findFile(tx, id))
    if (!file) return
    const text = await extractText(storage, storageKey(tenantId, file.storage_area, id), file)
    if (!text) return
    await inTenant(async (tx) => {
      await updateExtractedText(tx, id, text)
      await getPurpose(purposes, file.purpose).onTextExtracted?.(tx, file)
    })
  })

async function extractText(storage: FilesContext['storage'], key: string, file: FileRow): Promise<string | undefined> {
  if (file.media_type.startsWith('text/')) {
    const end = Math.min(file.size_bytes, maxTextBytes) - 1
    return toText((await readBlob(storage, key, { start: 0, end })).toString())
  }
  if (file.media_type !== 'application/pdf') {
    const read = (start: number, end: number) => readBlob(storage, key, { start, end })
    const described = { mediaType: file.media_type, size: file.size_bytes, maxCharacters }
    const text = await readOfficeText(read, described)
    return text === undefined ? undefined : toText(text)
  }
  const result = await withLocalCopy(storage, key, (path) =>
    runTool('pdftotext', ['-q', '-enc', 'UTF-8', path, '-'], path),
  )
  return typeof result === 'string' ? undefined : toText(result.output.toString())
}

function toText(extracted: string): string | undefined {
  const text = extracted.replaceAll('\0', ' ').replace(/\s+/g, ' ').trim().slice(0, maxCharacters).toWellFormed()
  return text && isStorableText(text) ? text : undefined
}
