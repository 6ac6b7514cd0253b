import type { Erasure, ErasureBatch } from '#platform/module'
import { eraseEmails } from './erase-emails.queries.ts'

const batchSize = 500

export const emailErasures: Erasure[] = [
  {
    name: 'crm.email_messages',
    async erase(tx, subject): Promise<ErasureBatch> {
      if ('user_id' in subject) return { counts: {} }
      const erased = await eraseEmails(tx, subject, batchSize)
      return { counts: { 'crm.email_messages': erased }, ...(erased === batchSize && { next: 'more' }) }
    },
  },
]
