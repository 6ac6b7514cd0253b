export { deleteFileBatch } from './clean-files.ts'
export { extractTextHandler } from './derive/extract-text.jobs.ts'
export { previewFileHandler } from './derive/preview-file.jobs.ts'
export {
  deleteOrphanedBlobs,
  findFileUsageDrift,
  findMissingFiles,
  findOrphanedBlobs,
  recountFileUsage,
} from './file-integrity.ts'
export { fileResponses } from './file-responses.ts'
export { FileSummary, toFileSummary } from './file-summary.ts'
export {
  type FileRow,
  findExtractedText,
  findFileByThumbnail,
  findFiles,
  listFilesAfter,
  markFilesMissing,
  readFileStats,
} from './files.queries.ts'
export { deleteFile, deleteFiles, restoreFile } from './files.service.ts'
export { createFiles, type Files } from './files.ts'
export type { FileGroup } from './formats/file-type.ts'
export { purgeFilesSchedule } from './purge-files.jobs.ts'
export type { FilePurpose, FileReader } from './purposes.ts'
export { scanFileHandler } from './scan/scan-file.jobs.ts'
export { sendBlob } from './serving/send-blob.ts'
export { sweepFilesSchedule } from './sweep-files.jobs.ts'
