import { systemClock } from '#platform/clock'
import type { Erasure, ErasureBatch } from '#platform/module'
import { listActorsOfPerson } from './erase-actor.queries.ts'
import { eraseActor } from './erase-actor.service.ts'

const actorsPerBatch = 20

/** Numbers stay, because they contain no personal data. Users of the workspace are not people of its product. */
export const plgErasure: Erasure = {
  name: 'plg.actors',
  async erase(tx, subject): Promise<ErasureBatch> {
    if ('user_id' in subject) return { counts: {} }
    const person = { emailKeys: subject.email_keys, contactIds: subject.contact_ids, leadIds: subject.lead_ids }
    const actors = await listActorsOfPerson(tx, person, actorsPerBatch)
    let events = 0
    for (const actor of actors) events += await eraseActor(tx, actor, systemClock.now())
    return {
      counts: { 'plg.actors': actors.length, 'plg.events': events },
      ...(actors.length === actorsPerBatch && { next: 'actors' }),
    }
  },
}
