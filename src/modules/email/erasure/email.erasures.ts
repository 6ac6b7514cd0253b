import { definePersonErasure, type Erasure } from '#platform/module'
import { eraseEmails } from './erase-emails.queries.ts'

const batchSize = 500

export const emailErasures: Erasure[] = [
  definePersonErasure('crm.email_messages', async (tx, person) => {
    const erased = await eraseEmails(tx, person, batchSize)
    return { counts: { 'crm.email_messages': erased }, ...(erased === batchSize && { next: 'more' }) }
  }),
]
