import { definePresenter } from '#platform/module'
import { Path } from './paths/paths.schemas.ts'
import { presentPaths } from './paths/present-path.service.ts'
import { listPathsByIds } from './records/paths.queries.ts'

export const learningPresenters = [
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
]
