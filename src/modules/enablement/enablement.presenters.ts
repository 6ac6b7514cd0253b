import { definePresenter } from '#platform/module'
import { listPersonasByIds } from './coaching-personas/personas.queries.ts'
import { presentPersona } from './coaching-personas/personas.rules.ts'
import { Persona } from './coaching-personas/personas.schemas.ts'
import { presentScenarios } from './coaching-scenarios/present-scenario.service.ts'
import { listScenariosByIds } from './coaching-scenarios/scenarios.queries.ts'
import { Scenario } from './coaching-scenarios/scenarios.schemas.ts'
import { listCollectionsByIds } from './collections/collections.queries.ts'
import { canSeeCollection } from './collections/collections.rules.ts'
import { CollectionSummary } from './collections/collections.schemas.ts'
import { presentCollectionSummaries } from './collections/present-collection.service.ts'
import { listItemsByIds } from './content/content.queries.ts'
import { canSee } from './content/content.rules.ts'
import { ContentItem } from './content/content.schemas.ts'
import { presentItems } from './content/present-content.service.ts'
import { listExpertsByIds } from './expert-records/experts.queries.ts'
import { Expert } from './expert-records/experts.schemas.ts'
import { presentExperts } from './experts/present-experts.service.ts'
import { Path } from './learning-paths/paths.schemas.ts'
import { presentPaths } from './learning-paths/present-path.service.ts'
import { listPathsByIds } from './learning-records/paths.queries.ts'
import { presentPrompts } from './pitch-prompts/present-prompt.service.ts'
import { listPromptsByIds } from './pitch-prompts/prompts.queries.ts'
import { Prompt } from './pitch-prompts/prompts.schemas.ts'
import { listRoomsByIds } from './room-records/rooms.queries.ts'
import { RoomSummary } from './rooms/room-details.schemas.ts'
import { toRoomSummaries } from './rooms/room-details.service.ts'

/** Drafts, and content and collections of some teams only, are not sent to other systems. */
const viewer = { userId: null, isManager: false, teamIds: [] }

const contextAt = (now: Date) => ({ files: null, clock: { now: () => now } })

export const enablementPresenters = [
  definePresenter({
    subjectType: 'content',
    schema: ContentItem,
    async list(tx, ids, now) {
      const visible = (await listItemsByIds(tx, ids)).filter((item) => canSee(item, viewer))
      return (await presentItems(tx, contextAt(now), visible)).map((item) => [item.id, item])
    },
  }),
  definePresenter({
    subjectType: 'collection',
    schema: CollectionSummary,
    async list(tx, ids, now) {
      const visible = (await listCollectionsByIds(tx, ids)).filter((row) => canSeeCollection(row, viewer))
      const collections = await presentCollectionSummaries(tx, contextAt(now), viewer, visible)
      return collections.map((collection) => [collection.id, collection])
    },
  }),
  definePresenter({
    subjectType: 'room',
    schema: RoomSummary,
    async list(tx, ids) {
      const rooms = await toRoomSummaries(tx, await listRoomsByIds(tx, ids), new Set())
      return rooms.map((room) => [room.id, room])
    },
  }),
  definePresenter({
    subjectType: 'coaching_persona',
    schema: Persona,
    list: async (tx, ids) =>
      (await listPersonasByIds(tx, ids)).map((persona) => [persona.id, presentPersona(persona, { isAuthor: false })]),
  }),
  definePresenter({
    subjectType: 'coaching_scenario',
    schema: Scenario,
    async list(tx, ids) {
      const visible = (await listScenariosByIds(tx, ids)).filter(({ status }) => status !== 'draft')
      return (await presentScenarios(tx, visible, { isAuthor: false, userId: null })).map((scenario) => [
        scenario.id,
        scenario,
      ])
    },
  }),
  definePresenter({
    subjectType: 'pitch_prompt',
    schema: Prompt,
    async list(tx, ids) {
      const visible = (await listPromptsByIds(tx, ids)).filter(({ status }) => status !== 'draft')
      const prompts = await presentPrompts(tx, visible, { userId: null, isAuthor: () => false })
      return prompts.map((prompt) => [prompt.id, prompt])
    },
  }),
  definePresenter({
    subjectType: 'learning_path',
    schema: Path,
    async list(tx, ids) {
      const visible = (await listPathsByIds(tx, ids)).filter(
        ({ status, audience_team_ids }) => status === 'published' && audience_team_ids === null,
      )
      return (await presentPaths(tx, visible, { userId: null })).map((path) => [path.id, path])
    },
  }),
  definePresenter({
    subjectType: 'expert',
    schema: Expert,
    list: async (tx, ids, now) =>
      (await presentExperts(tx, await listExpertsByIds(tx, ids), now)).map((expert) => [expert.id, expert]),
  }),
]
