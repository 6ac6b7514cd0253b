import { translate } from '../language.ts'

type Kind = 'lead' | 'contact' | 'account' | 'opportunity'

/** Sentences for records that cannot be restored, by error code. */
const conflicts: Readonly<Record<string, Partial<Record<Kind, string>>>> = {
  already_exists: {
    lead: 'Another lead has this email address now. Change or delete that lead first.',
    contact: 'Another contact has this email address now. Change or delete that contact first.',
    account: 'Another account has this domain now. Change or delete that account first.',
  },
  conflict: { opportunity: 'Its account is deleted. Restore the account first.' },
}

export const trashTexts = translate('trashTexts', {
  title: 'Trash',
  kinds: { lead: 'Leads', contact: 'Contacts', account: 'Accounts', opportunity: 'Deals' } satisfies Record<
    Kind,
    string
  >,
  choose: 'Deleted records by kind',
  list: 'The trash',
  hint: 'Deleted records are kept for 30 days.',
  ownHint: 'You see what you deleted. Deleted records are kept for 30 days.',
  empty: (kind: string) => `No deleted ${kind.toLowerCase()}`,
  emptyText: 'What is deleted can be restored here for 30 days.',
  selectAll: 'Select all shown',
  select: (name: string) => `Select ${name}`,
  noName: 'No name',
  deletedBy: (name: string) => `Deleted by ${name}`,
  deleted: 'Deleted',
  until: (date: string) => `kept until ${date}`,
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  restoreSelected: (count: number, text: string) => (count === 1 ? 'Restore 1 record' : `Restore ${text} records`),
  restored: (name: string) => `${name} was restored.`,
  restoredMany: (count: number, text: string) =>
    count === 1 ? '1 record was restored.' : `${text} records were restored.`,
  failedMany: (count: number, text: string) =>
    count === 1
      ? '1 record could not be restored; the list says why.'
      : `${text} records could not be restored; the list says why.`,
  notInTrash: (name: string) => `${name} is not in the trash any more. It may have been restored by another user.`,
  showMore: 'Show more',
  group: 'Trash',
  conflict: (kind: Kind, code: string): string | undefined => conflicts[code]?.[kind],
})
