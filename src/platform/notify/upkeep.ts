import { type Clock, daysLater, systemClock } from '#platform/clock'
import { defineSchedule, type Schedule } from '#platform/jobs'
import { deleteNotificationsBefore } from './notifications.queries.ts'

const keptDays = 90
const atOnce = 10_000

export const droppingNotifications = (clock: Clock = systemClock): Schedule =>
  defineSchedule('platform.drop_notifications', '41 * * * *', async ({ inSystem, log }) => {
    const limit = daysLater(clock.now(), -keptDays)
    const dropped = await inSystem((tx) => deleteNotificationsBefore(tx, limit, atOnce))
    if (dropped) log.info({ dropped }, 'old notifications were dropped')
  })
