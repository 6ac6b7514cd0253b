const office = 'application/vnd.openxmlformats-officedocument.presentationml'
const openDocument = 'application/vnd.oasis.opendocument.presentation'
const mediaTypesByType: Partial<Record<string, readonly string[]>> = {
  video: ['video/'],
  audio: ['audio/'],
  image: ['image/'],
  slide_deck: [office, openDocument, 'application/pdf'],
}

export const acceptedMediaTypes = (type: string): readonly string[] => mediaTypesByType[type] ?? ['']

/** False while a file is scanned or in quarantine. */
export const isReady = ({ scan_status }: { scan_status: string }): boolean =>
  scan_status === 'clean' || scan_status === 'skipped'

const leastFirstPart = 1_024

/** A later part belongs to a download that was counted before; a short first part only asks for size and type. */
export function startsDownload(range: string | undefined): boolean {
  if (!range) return true
  const [, end] = range.match(/^bytes=0-(\d*)$/) ?? []
  return end === '' || Number(end) + 1 >= leastFirstPart
}
