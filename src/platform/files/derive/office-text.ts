import {
  type ArchiveEntry,
  ArchiveError,
  type ReadBytes,
  readArchiveDirectory,
  readEntryText,
} from '../formats/archive-directory.ts'
import { toOfficeText, toOpenDocumentText } from './office-text.rules.ts'

const maxPartBytes = 8 * 1_048_576
const maxTotalBytes = 32 * 1_048_576
const maxParts = 500

/** Parts with text, in reading order. */
const formats: { accepts: RegExp; parts: RegExp[]; toText(xml: string): string }[] = [
  {
    accepts: /wordprocessingml\.document$/,
    parts: [/^word\/document\.xml$/, /^word\/(header|footer)\d*\.xml$/, /^word\/(foot|end)notes\.xml$/],
    toText: toOfficeText,
  },
  {
    accepts: /presentationml\.presentation$/,
    parts: [/^ppt\/slides\/slide\d+\.xml$/, /^ppt\/notesSlides\/notesSlide\d+\.xml$/],
    toText: toOfficeText,
  },
  {
    accepts: /spreadsheetml\.sheet$/,
    parts: [/^xl\/sharedStrings\.xml$/, /^xl\/worksheets\/sheet\d+\.xml$/],
    toText: toOfficeText,
  },
  { accepts: /opendocument\.(text|presentation|spreadsheet)$/, parts: [/^content\.xml$/], toText: toOpenDocumentText },
]

type OfficeFile = { mediaType: string; size: number; maxCharacters: number }

/** Returns undefined for other types and for damaged files. Reads a bounded number of bytes, whatever the archive says. */
export async function readOfficeText(
  read: ReadBytes,
  { mediaType, size, maxCharacters }: OfficeFile,
): Promise<string | undefined> {
  const format = formats.find(({ accepts }) => accepts.test(mediaType))
  if (!format) return undefined
  try {
    const entries = await readArchiveDirectory(read, size)
    let text = ''
    let total = 0
    for (const entry of selectParts(entries, format.parts)) {
      total += entry.size
      if (text.length >= maxCharacters || total > maxTotalBytes) break
      text += `${format.toText(await readEntryText(read, entry, maxPartBytes))} `
    }
    return text
  } catch (error) {
    if (error instanceof ArchiveError) return undefined
    throw error
  }
}

function selectParts(entries: readonly ArchiveEntry[], parts: readonly RegExp[]): ArchiveEntry[] {
  const isReadable = ({ size, compressedSize }: ArchiveEntry) =>
    size > 0 && size <= maxPartBytes && compressedSize <= maxPartBytes
  const byNumber = (a: ArchiveEntry, b: ArchiveEntry) => a.name.localeCompare(b.name, 'en', { numeric: true })
  return parts
    .flatMap((part) => entries.filter((entry) => part.test(entry.name) && isReadable(entry)).sort(byNumber))
    .slice(0, maxParts)
}
