import type { TextsOf } from './texts.ts'

export const inboxTexts: TextsOf<'inboxTexts'> = {
  title: 'Posteingang',
  list: 'Benachrichtigungen',
  all: 'Alle',
  unread: 'Ungelesen',
  filter: 'Zeigen',
  markAll: 'Alle als gelesen markieren',
  markRead: 'Als gelesen markieren',
  markOneRead: (title) => `Als gelesen markieren: ${title}`,
  isUnread: 'Ungelesen.',
  next: 'Nächste Benachrichtigung',
  previous: 'Vorige Benachrichtigung',
  showMore: 'Mehr zeigen',
  empty: 'Noch keine Benachrichtigungen',
  emptyText:
    'Hier erfahren Sie, wenn Ihnen ein Lead zugewiesen wird, ein Kunde einen Raum öffnet oder Sie im Team erwähnt werden.',
  allRead: 'Alles ist gelesen',
  allReadText: 'Neue Benachrichtigungen erscheinen hier.',
  showAll: 'Alle zeigen',
}
