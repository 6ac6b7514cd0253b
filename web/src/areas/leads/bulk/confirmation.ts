import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import type { BulkAction } from './bulk-api.ts'

/** More leads are changed by a task. */
export const maxInline = 200

type Amount = { kind: 'ids' | 'matching'; count: number }

/** Whether the user must confirm the action, because it changes many leads or follows from a single key. */
export const needsConfirmation = ({ kind, count }: Amount, isByKey: boolean): boolean =>
  isLarge({ kind, count }) || (isByKey && count > 1)

export const isLarge = ({ kind, count }: Amount): boolean => kind === 'matching' || count > maxInline

/** Whether the typed text is the number, with or without separators. */
export const isTypedNumber = (text: string, count: number): boolean => text.replaceAll(/[\s.,'’]/g, '') === `${count}`

/** Names the action and the number of leads. `target` is the name of the new owner. */
export function describeAction({ action, params }: BulkAction, count: number, text: string, target = ''): string {
  if (action === 'assign') return texts.confirm.assign(count, text, target)
  if (action === 'set_status' && params?.status)
    return texts.confirm.set_status(count, text, leadTexts.statuses[params.status])
  return action === 'delete' ? texts.confirm.delete(count, text) : texts.confirm.restore(count, text)
}
