export {
  countUnreadNotifications,
  findOwnNotificationIds,
  listNotifications,
  markNotificationRowsRead,
} from './in-app-notifications.queries.ts'
export { deleteOldNotificationsSchedule } from './maintenance.ts'
export {
  type Channels,
  defineNotification,
  findNotificationKind,
  listNotificationKinds,
  type NotificationKind,
  type NotificationText,
} from './notification.ts'
export {
  deleteMentionsInNotifications,
  deleteNotificationsAbout,
  deleteNotificationsOfUser,
} from './notifications.queries.ts'
export { notify } from './notify.ts'
export { deletePastNotifications, insertPastNotification } from './past-notifications.ts'
export { type Recipient, type RecipientDirectory, setRecipientDirectory } from './recipient-directory.ts'
export { sendNotificationEmailHandler } from './send-notification-email.ts'
