import type { Schemas } from '../../../api/client.ts'
import { contactBulkTexts as texts } from '../../../texts/en/contact-bulk-texts.ts'

export type BulkAction = Pick<Schemas['BulkUpdateContactsRequest'], 'action' | 'params'>

/** Names the action and the number of contacts. `target` is what the user has chosen, such as the new owner. */
export const describeAction = ({ action }: BulkAction, count: number, text: string, target = ''): string =>
  texts.confirm[action](count, text, target)
