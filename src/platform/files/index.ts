export { canExtractAudio, type ExtractedAudio, extractAudio } from './derive/extract-audio.ts'
export { extractTextHandler } from './derive/extract-text.jobs.ts'
export { previewFileHandler } from './derive/preview-file.jobs.ts'
export { warnAboutWeakIsolation } from './derive/run-tool.ts'
export { fileQuarantined, scanPending } from './file-errors.ts'
export {
  deleteOrphanedBlobs,
  findFileUsageDrift,
  findMissingFiles,
  findOrphanedBlobs,
  recountFileUsage,
} from './file-integrity.ts'
export {
  type FileRow,
  findExtractedText,
  findFileByThumbnail,
  findFiles,
  listFileIds,
  listFilesAfter,
  listFilesToClean,
  markFilesMissing,
  readFileStats,
} from './files.queries.ts'
export { deleteFile, deleteFiles, deleteFilesNow, restoreFile } from './files.service.ts'
export { createFiles, deleteFileBatch, FileSummary, type Files, fileResponses, toFileSummary } from './files.ts'
export { type FileGroup, isInlineType } from './formats/file-type.ts'
export { isSvg } from './formats/markup.rules.ts'
export { purgeFileHandler, purgeFilesSchedule } from './purge-files.jobs.ts'
export type { FilePurpose, FileReader } from './purposes.ts'
export { scanFileHandler } from './scan/scan-file.jobs.ts'
export { sendBlob } from './serving/send-blob.ts'
export type { GeneratedFile } from './store-file.flow.ts'
export { sweepFilesSchedule } from './sweep-files.jobs.ts'
