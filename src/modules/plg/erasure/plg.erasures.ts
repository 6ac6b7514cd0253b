import { systemClock } from '#platform/clock'
import { definePersonErasure } from '#platform/module'
import { listActorsOfPerson } from './erase-actor.queries.ts'
import { eraseActor } from './erase-actor.service.ts'

const actorsPerBatch = 20

/** Numbers stay, because they contain no personal data. Users of the workspace are not people of its product. */
export const plgErasure = definePersonErasure('plg.actors', async (tx, person) => {
  const keys = { emailKeys: person.email_keys, contactIds: person.contact_ids, leadIds: person.lead_ids }
  const actors = await listActorsOfPerson(tx, keys, actorsPerBatch)
  let events = 0
  for (const actor of actors) events += await eraseActor(tx, actor, systemClock.now())
  return {
    counts: { 'plg.actors': actors.length, 'plg.events': events },
    ...(actors.length === actorsPerBatch && { next: 'actors' }),
  }
})
