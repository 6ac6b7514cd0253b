import { AppError, conflict, unavailable } from '#platform/errors'

type Refusal = { detected: string | null; accepted: readonly string[] }

export const unsupportedFile = (message: string, { detected, accepted }: Refusal) =>
  new AppError(415, 'unsupported_media_type', message, { extra: { detected, accepted } })

export const damagedFile = (mediaType: string) =>
  new AppError(415, 'unsupported_media_type', `The file must be a complete file of the type ${mediaType}.`, {
    extra: { detected: null, accepted: [mediaType] },
  })

export const macrosNotAllowed = () =>
  new AppError(415, 'macros_not_allowed', 'The file must not contain macros or ActiveX controls. Save it without them.')

export function fileTooLarge(maxBytes: number): AppError {
  const message = `The file must not exceed ${(maxBytes / 1_048_576).toLocaleString('en')} MiB.`
  return new AppError(413, 'too_large', message, { extra: { max_bytes: maxBytes } })
}

export const quotaExceeded = (quotaBytes: number) =>
  new AppError(413, 'storage_quota_exceeded', 'The files of the workspace must not exceed its storage quota.', {
    extra: { quota_bytes: quotaBytes },
  })

export const scanPending = () =>
  new AppError(409, 'scan_pending', 'The file is being scanned for viruses. Try again in a moment.', {
    headers: { 'retry-after': '5' },
  })

export const fileQuarantined = () =>
  conflict('file_quarantined', 'The file cannot be downloaded, because the virus scan found a problem or failed.')

export const storageUnavailable = () => unavailable('The file storage is temporarily unavailable. Try again soon.')
