import { type Clock, daysLater, systemClock } from '#platform/clock'
import { repeatUntilEmpty } from '#platform/db'
import { defineSchedule, type Schedule } from '#platform/jobs'
import { deleteNotificationsBefore } from './notifications.queries.ts'

const retentionDays = 90
const batchSize = 10_000

export const deleteOldNotificationsSchedule = (clock: Clock = systemClock): Schedule =>
  defineSchedule('platform.drop_notifications', '41 * * * *', async ({ inSystem, signal, log }) => {
    const cutoff = daysLater(clock.now(), -retentionDays)
    const deleteBatch = () => inSystem((tx) => deleteNotificationsBefore(tx, cutoff, batchSize))
    const deleted = await repeatUntilEmpty(deleteBatch, signal)
    if (deleted) log.info({ deleted }, 'deleted old notifications')
  })
