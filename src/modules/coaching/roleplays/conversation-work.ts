import { defineTextWork, isShortText } from '#platform/text-work'
import { analyzeRoleplay, type Conversation, type SpokenMessage, scoreRoleplay } from './analysis.rules.ts'
import { playMessage } from './play-message.rules.ts'

const file = new URL('./analysis.rules.ts', import.meta.url)

const isCheap = (_: Conversation, messages: readonly SpokenMessage[]): boolean =>
  isShortText(messages.map(({ text }) => text).join(''))

export const analyzeRoleplayInThread = defineTextWork({ file, run: analyzeRoleplay, isCheap })

export const scoreRoleplayInThread = defineTextWork({ file, run: scoreRoleplay, isCheap })

export const playMessageInThread = defineTextWork({
  file: new URL('./play-message.rules.ts', import.meta.url),
  run: playMessage,
  isCheap: ({ text }) => isShortText(text),
})
