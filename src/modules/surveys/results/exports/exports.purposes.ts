import type { FilePurpose } from '#platform/files'

/** The route that serves the file checks the scope and the end of the export. */
export const exportPurpose: FilePurpose = {
  name: 'survey_export',
  accepts: ['document'],
  mayRead: async (_tx, _file, { userId }) => userId !== null,
}
