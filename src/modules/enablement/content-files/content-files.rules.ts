const office = 'application/vnd.openxmlformats-officedocument.presentationml'
const openDocument = 'application/vnd.oasis.opendocument.presentation'
const mediaTypesByType: Partial<Record<string, readonly string[]>> = {
  video: ['video/'],
  audio: ['audio/'],
  image: ['image/'],
  slide_deck: [office, openDocument, 'application/pdf'],
}

/** Prefixes of the media types that fit a type of content. */
export const acceptedMediaTypes = (type: string): readonly string[] => mediaTypesByType[type] ?? ['']

/** False while a file is scanned or in quarantine. */
export const isReady = ({ scan_status }: { scan_status: string }): boolean =>
  scan_status === 'clean' || scan_status === 'skipped'

const botPattern = /bot|crawl|spider|preview|scan|fetch|curl|wget|python|monitor|headless|slurp|facebookexternalhit/i

export const isBot = (userAgent: string | null | undefined): boolean => !userAgent || botPattern.test(userAgent)

/** A request for a later part of a file belongs to a download that was counted before. */
export const startsDownload = (range: string | undefined): boolean => !range || /^bytes=0-/.test(range)
