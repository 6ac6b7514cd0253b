import { scoreRanges } from '../../design/scores/scores.rules.ts'

type EmailTexts = {
  subject: string
  reminder: (subject: string) => string
  greeting: (firstName: string | null) => string
  request: string
  preview: string
  scoreNote: string
  /** Names at least how many persons were invited; the distribution may still be inviting others. */
  anonymous: (count: number) => string
  alreadyAnswered: string
  open: string
  openUntil: (day: string) => string
  unsubscribe: string
  outOf: (score: number, max: number) => string
}

/** Texts around those of the survey. Other languages get the English ones. */
const texts: Record<string, EmailTexts> = {
  en: {
    subject: 'We would like your opinion',
    reminder: (subject) => `Reminder: ${subject}`,
    greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
    request: 'please take a moment to answer our questions.',
    preview: 'It takes only a few minutes.',
    scoreNote: 'Your number opens the survey. It is saved when you confirm it there.',
    anonymous: (count) => `Your answers are anonymous. Recipients of this survey: at least ${count}.`,
    alreadyAnswered: 'If you have already answered, please ignore this email.',
    open: 'Open the survey',
    openUntil: (day) => `The survey is open until ${day}.`,
    unsubscribe: 'Unsubscribe from surveys',
    outOf: (score, max) => `${score} out of ${max}`,
  },
  de: {
    subject: 'Wir möchten Ihre Meinung hören',
    reminder: (subject) => `Erinnerung: ${subject}`,
    greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
    request: 'bitte nehmen Sie sich einen Moment Zeit für unsere Fragen.',
    preview: 'Es dauert nur wenige Minuten.',
    scoreNote: 'Ihre Zahl öffnet die Umfrage. Sie wird gespeichert, wenn Sie sie dort bestätigen.',
    anonymous: (count) => `Ihre Antworten sind anonym. Empfänger dieser Umfrage: mindestens ${count}.`,
    alreadyAnswered: 'Falls Sie schon geantwortet haben, ignorieren Sie diese E-Mail bitte.',
    open: 'Umfrage öffnen',
    openUntil: (day) => `Die Umfrage ist bis ${day} offen.`,
    unsubscribe: 'Keine Umfragen mehr erhalten',
    outOf: (score, max) => `${score} von ${max}`,
  },
  fr: {
    subject: 'Votre avis nous intéresse',
    reminder: (subject) => `Rappel : ${subject}`,
    greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
    request: 'merci de prendre un instant pour répondre à nos questions.',
    preview: 'Quelques minutes suffisent.',
    scoreNote: 'Votre note ouvre l’enquête. Elle est enregistrée lorsque vous la confirmez.',
    anonymous: (count) => `Vos réponses sont anonymes. Destinataires de cette enquête : au moins ${count}.`,
    alreadyAnswered: 'Si vous avez déjà répondu, ignorez cet e-mail.',
    open: 'Ouvrir l’enquête',
    openUntil: (day) => `L’enquête est ouverte jusqu’au ${day}.`,
    unsubscribe: 'Ne plus recevoir d’enquêtes',
    outOf: (score, max) => `${score} sur ${max}`,
  },
  es: {
    subject: 'Queremos conocer su opinión',
    reminder: (subject) => `Recordatorio: ${subject}`,
    greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
    request: 'le agradecemos que responda a nuestras preguntas.',
    preview: 'Solo le llevará unos minutos.',
    scoreNote: 'Su número abre la encuesta. Se guarda cuando lo confirma allí.',
    anonymous: (count) => `Sus respuestas son anónimas. Destinatarios de esta encuesta: al menos ${count}.`,
    alreadyAnswered: 'Si ya ha respondido, ignore este correo.',
    open: 'Abrir la encuesta',
    openUntil: (day) => `La encuesta está abierta hasta el ${day}.`,
    unsubscribe: 'No recibir más encuestas',
    outOf: (score, max) => `${score} de ${max}`,
  },
  pt: {
    subject: 'Gostaríamos de saber a sua opinião',
    reminder: (subject) => `Lembrete: ${subject}`,
    greeting: (name) => (name ? `Olá, ${name},` : 'Olá,'),
    request: 'agradecemos que responda às nossas perguntas.',
    preview: 'Só demora alguns minutos.',
    scoreNote: 'O seu número abre o inquérito. É guardado quando o confirmar lá.',
    anonymous: (count) => `As suas respostas são anónimas. Destinatários deste inquérito: pelo menos ${count}.`,
    alreadyAnswered: 'Se já respondeu, ignore este e-mail.',
    open: 'Abrir o inquérito',
    openUntil: (day) => `O inquérito está aberto até ${day}.`,
    unsubscribe: 'Deixar de receber inquéritos',
    outOf: (score, max) => `${score} de ${max}`,
  },
}

export const emailTextsIn = (language: string): EmailTexts => texts[language.split('-')[0]!] ?? texts.en!

/** The fixed texts are English in a language without translations, so its dates are too. */
export const formatDay = (instant: Date, language: string, timeZone: string): string =>
  new Intl.DateTimeFormat(texts[language.split('-')[0]!] ? language : 'en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  }).format(instant)

const placeholder = /\{\{\s*(first_name|survey_link)\s*(?:\|([^{}]{0,100}))?\}\}/g

/** Replaces `{{first_name}}` and `{{survey_link}}`; `{{first_name | friend}}` has a text for persons without a name. */
export const replacePlaceholders = (
  text: string,
  values: { first_name: string | null; survey_link: string },
  withoutName = '',
): string =>
  text.replace(
    placeholder,
    (_, name: keyof typeof values, fallback?: string) => values[name] ?? fallback?.trim() ?? withoutName,
  )

export const scoresOf = (type: string): number[] => {
  const range = scoreRanges[type as keyof typeof scoreRanges]
  return range ? Array.from({ length: range.max - range.min + 1 }, (_, index) => range.min + index) : []
}
