export { type AddressBook, type Addressee, openAddressBook } from './address-book.ts'
export { mailingNotifications } from './mail-notifications.ts'
export {
  type Channels,
  definedNotifications,
  defineNotification,
  findNotificationKind,
  type NotificationKind,
  type NotificationText,
} from './notification.ts'
export { deleteNotificationsOf } from './notifications.queries.ts'
export { notify } from './notify.ts'
export {
  findOwnNotifications,
  listNotifications,
  markNotificationsRead,
} from './read-notifications.queries.ts'
export { droppingNotifications } from './upkeep.ts'
