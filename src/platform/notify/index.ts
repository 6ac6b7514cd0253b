export {
  countUnreadNotifications,
  findOwnNotificationIds,
  listNotifications,
  markNotificationRowsRead,
} from './in-app-notifications.queries.ts'
export {
  type Channels,
  defineNotification,
  findNotificationKind,
  listNotificationKinds,
  type NotificationKind,
  type NotificationText,
  type Recipient,
  type RecipientDirectory,
  setRecipientDirectory,
} from './notification.ts'
export {
  deleteMentionsInNotifications,
  deleteNotificationsAbout,
  deleteNotificationsOfUser,
} from './notifications.queries.ts'
export { deleteOldNotificationsSchedule, notify } from './notify.ts'
export { deletePastNotifications, insertPastNotification } from './past-notifications.ts'
export { sendNotificationEmailHandler } from './send-notification-email.ts'
