import type { Schemas } from '../../../api/client.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'

export type BulkAction = Pick<Schemas['BulkUpdateLeadsRequest'], 'action' | 'params'>

/** Names the action and the number of leads. `target` is the name of the new owner. */
export function describeAction({ action, params }: BulkAction, count: number, text: string, target = ''): string {
  if (action === 'assign') return texts.confirm.assign(count, text, target)
  if (action === 'set_status' && params?.status)
    return texts.confirm.set_status(count, text, leadTexts.statuses[params.status])
  return action === 'delete' ? texts.confirm.delete(count, text) : texts.confirm.restore(count, text)
}
