import { translate } from '../language.ts'

export const inboxTexts = translate('inboxTexts', {
  title: 'Inbox',
  list: 'Notifications',
  all: 'All',
  unread: 'Unread',
  filter: 'Show',
  markAll: 'Mark all as read',
  markRead: 'Mark as read',
  markOneRead: (title: string) => `Mark as read: ${title}`,
  isUnread: 'Unread.',
  next: 'Next notification',
  previous: 'Previous notification',
  showMore: 'Show more',
  empty: 'No notifications yet',
  emptyText: 'You are told here when a lead becomes yours, a buyer opens a room or a colleague mentions you.',
  allRead: 'Everything is read',
  allReadText: 'New notifications appear here.',
  showAll: 'Show all',
})
