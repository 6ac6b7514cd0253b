import { newId } from '#platform/ids'
import type { TestUser } from '#testing'
import type { Workspace } from './web-pages.ts'

/** Stores notifications of a user, the first of them as the newest. */
export async function insertNotifications(
  acme: Workspace,
  { userId }: Pick<TestUser, 'userId'>,
  ...notifications: { kind: string; payload: object }[]
): Promise<void> {
  for (const { kind, payload } of notifications.toReversed())
    await acme.sql(
      `insert into platform.notifications (tenant_id, id, user_id, kind, payload, in_app, by_mail)
       values ($1, $2, $3, $4, $5, true, false)`,
      [acme.id, newId(), userId, kind, payload],
    )
}

export const roomAlert = {
  kind: 'room.alert',
  payload: { room_id: newId(), room_name: 'Group contract', alert: 'hot', visitor: null },
}

export const negativeResponse = (path: string | null) => ({
  kind: 'survey.negative_response',
  payload: { survey_id: newId(), survey_name: 'Loyalty', score: 4, person: null, path },
})
