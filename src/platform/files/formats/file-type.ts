export type FileGroup = 'document' | 'image' | 'video' | 'audio'
export type FileType = {
  mediaType: string
  group: FileGroup
  /** The first one replaces the extension of uploaded files. */
  extensions: readonly [string, ...string[]]
  isInline: boolean
  /** Written by jobs, never accepted as an upload. */
  isGenerated?: true
}

const MiB = 1_048_576
export const groupLimits: Record<FileGroup, number> = {
  document: 200 * MiB,
  image: 25 * MiB,
  video: 2_048 * MiB,
  audio: 512 * MiB,
}

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'
const define = (
  mediaType: string,
  group: FileGroup,
  isInline: boolean,
  ...extensions: [string, ...string[]]
): FileType => ({ mediaType, group, extensions, isInline })

export const fileTypes = {
  pdf: define('application/pdf', 'document', true, 'pdf'),
  docx: define(`${office}.wordprocessingml.document`, 'document', false, 'docx'),
  pptx: define(`${office}.presentationml.presentation`, 'document', false, 'pptx'),
  xlsx: define(`${office}.spreadsheetml.sheet`, 'document', false, 'xlsx'),
  odt: define(`${openDocument}.text`, 'document', false, 'odt'),
  odp: define(`${openDocument}.presentation`, 'document', false, 'odp'),
  ods: define(`${openDocument}.spreadsheet`, 'document', false, 'ods'),
  txt: define('text/plain', 'document', false, 'txt', 'text', 'log'),
  md: define('text/markdown', 'document', false, 'md', 'markdown'),
  csv: define('text/csv', 'document', false, 'csv'),
  jsonl: { ...define('application/x-ndjson', 'document', false, 'jsonl'), isGenerated: true },
  png: define('image/png', 'image', true, 'png'),
  jpg: define('image/jpeg', 'image', true, 'jpg', 'jpeg', 'jpe'),
  gif: define('image/gif', 'image', true, 'gif'),
  webp: define('image/webp', 'image', true, 'webp'),
  mp4: define('video/mp4', 'video', true, 'mp4', 'm4v'),
  webm: define('video/webm', 'video', true, 'webm'),
  mov: define('video/quicktime', 'video', false, 'mov', 'qt'),
  mp3: define('audio/mpeg', 'audio', true, 'mp3'),
  m4a: define('audio/mp4', 'audio', true, 'm4a'),
  wav: define('audio/wav', 'audio', true, 'wav'),
  ogg: define('audio/ogg', 'audio', true, 'ogg', 'oga', 'opus'),
} as const satisfies Record<string, FileType>

export type FileTypeName = keyof typeof fileTypes

const typesByExtension = new Map(
  Object.values(fileTypes).flatMap((type) =>
    type.extensions.map((extension) => [extension as string, type as FileType]),
  ),
) as Map<string, FileType>

export const findTypeByExtension = (extension: string): FileType | undefined => typesByExtension.get(extension)

export const isInlineType = (mediaType: string): boolean =>
  Object.values(fileTypes).some((type) => type.isInline && type.mediaType === mediaType)

export const mediaTypesOf = (groups: readonly FileGroup[]): string[] =>
  Object.values(fileTypes)
    .filter((type: FileType) => groups.includes(type.group) && !type.isGenerated)
    .map(({ mediaType }) => mediaType)
