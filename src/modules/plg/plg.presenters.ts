import { definePresenter } from '#platform/module'
import { listActorsByIds } from './actors/actors.queries.ts'
import { UsageActor } from './actors/actors.schemas.ts'
import { presentActors } from './actors/present-actors.service.ts'

/** The subject of all events is the person or account of the product. */
export const plgPresenters = [
  definePresenter({
    subjectType: 'plg',
    schema: UsageActor,
    async list(tx, ids) {
      const actors = await presentActors(tx, await listActorsByIds(tx, ids))
      return actors.map((actor) => [actor.id, actor])
    },
  }),
]
