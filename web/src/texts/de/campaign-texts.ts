import type { TextsOf } from './texts.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

const problems: Readonly<Record<string, string>> = {
  already_exists: 'Eine andere Kampagne hat diesen Namen oder diese UTM-Kampagne.',
  campaign_archived: 'Eine archivierte Kampagne kann nicht geändert werden.',
  campaign_closed: 'Die Kampagne ist beendet und nimmt niemanden mehr auf.',
  campaign_has_members: 'Die Kampagne hat Personen. Archivieren Sie sie stattdessen.',
  campaign_has_closed_deals: 'Die Kampagne ist an abgeschlossenen Deals beteiligt. Archivieren Sie sie stattdessen.',
  member_status_in_use: 'Personen haben einen Status, den Sie entfernt haben. Ändern Sie zuerst deren Status.',
  invalid_transition: 'Die Kampagne hat inzwischen einen anderen Status. Laden Sie sie neu.',
}

export const campaignTexts: TextsOf<'campaignTexts'> = {
  title: 'Kampagnen',
  area: 'Kampagnen',
  group: 'Kampagne',
  campaign: 'Die Kampagne',
  notFound: 'Diese Kampagne gibt es nicht',
  tabList: 'Teile der Kampagne',
  tabs: { results: 'Ergebnisse', people: 'Personen', settings: 'Einstellungen' },
  since: (day) => `seit ${day}`,
  until: (day) => `bis ${day}`,
  problem: (code) => problems[code],
  actions: {
    add: 'Personen hinzufügen',
    activate: 'Aktivieren',
    schedule: 'Planen',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    reactivate: 'Wieder aktivieren',
    complete: 'Abschließen',
    cancel: 'Kampagne abbrechen',
    archive: 'Archivieren',
    duplicate: 'Duplizieren',
    remove: 'Löschen',
  },
  changed: {
    active: (name) => `${name} ist aktiv.`,
    scheduled: (name) => `${name} ist geplant.`,
    paused: (name) => `${name} ist pausiert.`,
    completed: (name) => `${name} ist abgeschlossen.`,
    cancelled: (name) => `${name} ist abgebrochen.`,
    archived: (name) => `${name} ist archiviert.`,
    draft: (name) => `${name} ist ein Entwurf.`,
  },
  undo: 'Rückgängig',
  overText: 'Der letzte Tag ist vorbei. Ändern Sie ihn zuerst in den Einstellungen.',
  startText: 'Der erste Tag muss in der Zukunft liegen. Ändern Sie ihn zuerst in den Einstellungen.',
  toSettings: 'Einstellungen',
  deleted: (name) => `${name} wurde gelöscht.`,
  end: {
    completeTitle: (name) => `${name} abschließen`,
    cancelTitle: (name) => `${name} abbrechen`,
    archiveTitle: (name) => `${name} archivieren`,
    deleteTitle: (name) => `${name} löschen`,
    closed: (count, text) =>
      count === 0
        ? 'Danach kann niemand mehr hinzugefügt werden.'
        : `${text} ${plural(count, 'Person bleibt', 'Personen bleiben')} in der Kampagne und in ihren Ergebnissen. Danach kann niemand mehr hinzugefügt werden.`,
    archived: (count, text) =>
      count === 0
        ? 'Sie kann dann nicht mehr geändert werden, und ihr Name ist wieder frei.'
        : `${text} ${plural(count, 'Person bleibt', 'Personen bleiben')} in ihren Ergebnissen. Sie kann dann nicht mehr geändert werden, und ihr Name ist wieder frei. Das lässt sich nicht rückgängig machen.`,
    deleted: (count, text) =>
      count === 0
        ? 'Das lässt sich nicht rückgängig machen.'
        : `${text} ${plural(count, 'Person wird', 'Personen werden')} aus dem Entwurf entfernt. Die Datensätze der Personen bleiben. Das lässt sich nicht rückgängig machen.`,
  },
}
