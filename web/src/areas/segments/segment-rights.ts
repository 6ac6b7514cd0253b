import * as access from '../../api/access.gen.ts'
import { isManagerOrAdmin, type Me, may, mayDelete } from '../../session/me.ts'
import type { SegmentRow } from './segment-queries.ts'

type Owned = Pick<SegmentRow, 'owner_id' | 'created_by'>

/** Managers change every segment, others those that they own or created. */
export const mayChangeSegment = (me: Me, { owner_id, created_by }: Owned): boolean =>
  may(me, access.updateSegment) && (isManagerOrAdmin(me) || (owner_id ?? created_by) === me.id)

export const mayDeleteSegment = (me: Me, { owner_id, created_by }: Owned): boolean =>
  mayDelete(me, 'segments', owner_id ?? created_by)
