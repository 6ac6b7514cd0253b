import { macrosNotAllowed } from '../file-errors.ts'
import {
  type ArchiveEntry,
  ArchiveError,
  type ReadBytes,
  readArchiveDirectory,
  readEntryText,
} from './archive-directory.ts'
import { type FileTypeName, fileTypes } from './file-type.ts'

const maxContentTypesBytes = 1_048_576
const contentTypesName = '[Content_Types].xml'
const office = 'application/vnd.openxmlformats-officedocument'
const mainParts: [FileTypeName, string][] = [
  ['docx', `${office}.wordprocessingml.document.main+xml`],
  ['pptx', `${office}.presentationml.presentation.main+xml`],
  ['xlsx', `${office}.spreadsheetml.sheet.main+xml`],
]
const macroFiles = /^(vbaProject.*\.bin|vbaData\.xml)$/is
const macroFolders = /^(activeX|macrosheets)$/i
const macroRoots = /^(Basic|Scripts)$/i
const macroTypes = /macroEnabled|vbaProject|vbaData|macrosheet|activeX/i

export async function findOfficeType(read: ReadBytes, size: number): Promise<FileTypeName | undefined> {
  const entries = await readArchiveDirectory(read, size)
  const type = (await findOpenXmlType(read, entries)) ?? (await findOpenDocumentType(read, entries))
  if (type && entries.some(({ name }) => isMacroName(name))) throw macrosNotAllowed()
  return type
}

function isMacroName(name: string): boolean {
  const folders = name.split('/')
  const file = folders.pop()!
  return (
    macroFiles.test(file) ||
    folders.some((folder) => macroFolders.test(folder)) ||
    (folders[0] !== undefined && macroRoots.test(folders[0]))
  )
}

async function findOpenXmlType(read: ReadBytes, entries: ArchiveEntry[]): Promise<FileTypeName | undefined> {
  const entry = entries.find(({ name }) => name === contentTypesName)
  if (!entry) return undefined
  const text = await readEntryText(read, entry, maxContentTypesBytes)
  if (macroTypes.test(text)) throw macrosNotAllowed()
  // Escapes and entities could hide another type from this check but not from an Office program.
  if (/&#|<!(?!--)/.test(text)) throw new ArchiveError('The content types are not plain.')
  const types = mainParts.filter(([, mainPart]) => text.includes(`"${mainPart}"`))
  return types.length === 1 ? types[0]![0] : undefined
}

async function findOpenDocumentType(read: ReadBytes, entries: ArchiveEntry[]): Promise<FileTypeName | undefined> {
  const entry = entries.find(({ name }) => name === 'mimetype')
  if (entry?.offset !== 0 || entry.method !== 0) return undefined
  const mediaType = await readEntryText(read, entry, 100)
  return (['odt', 'odp', 'ods'] as const).find((name) => fileTypes[name].mediaType === mediaType)
}
