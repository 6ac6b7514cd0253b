import type { FilePurpose } from '#platform/files'

const MiB = 1_048_576

/** The rows of the file are stored when it is uploaded; no route serves the file itself. */
export const importPurpose: FilePurpose = {
  name: 'import',
  accepts: ['document'],
  maxBytes: 50 * MiB,
  textEncodings: 'any',
  mayRead: async () => false,
}
