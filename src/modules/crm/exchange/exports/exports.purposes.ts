import { findFileReader } from '#modules/identity'
import { isManagerOrAdmin } from '#platform/access'
import type { FilePurpose } from '#platform/files'

/** The route that serves the file checks scope, role and the end of the export, but not for a ticket. */
export const recordExportPurpose: FilePurpose = {
  name: 'record_export',
  accepts: ['document'],
  mayRead: async (tx, _file, { userId, ticketIssuedAt }) => {
    if (userId === null || !ticketIssuedAt) return userId !== null
    const user = await findFileReader(tx, userId, ticketIssuedAt)
    return user?.hasSession === true && isManagerOrAdmin(user.role)
  },
}
