import { definePresenter } from '#platform/module'
import { presentPrompts } from './prompts/present-prompt.service.ts'
import { listPromptsByIds } from './prompts/prompts.queries.ts'
import { Prompt } from './prompts/prompts.schemas.ts'

export const pitchPresenters = [
  definePresenter({
    subjectType: 'pitch_prompt',
    schema: Prompt,
    async list(tx, ids) {
      const visible = (await listPromptsByIds(tx, ids)).filter(({ status }) => status !== 'draft')
      const prompts = await presentPrompts(tx, visible, { userId: null, isAuthor: () => false })
      return prompts.map((prompt) => [prompt.id, prompt])
    },
  }),
]
