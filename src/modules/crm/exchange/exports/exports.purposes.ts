import type { FilePurpose } from '#platform/files'

/** The route that serves the file checks scope, role and the end of the export. */
export const recordExportPurpose: FilePurpose = {
  name: 'record_export',
  accepts: ['document'],
  mayRead: async (_tx, _file, { userId }) => userId !== null,
}
