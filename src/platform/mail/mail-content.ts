export type MailLink = { label: string; url: string }

/** Numbers that open a form. A link only fills in a number, because mail scanners open links too. */
export type MailScores = {
  links: readonly (MailLink & { description: string })[]
  low: string | null
  high: string | null
  note: string | null
}

/** A name and its value, such as a device and its IP address, in a small table. */
export type MailFact = { label: string; value: string }

export type MailContent = {
  workspace: { name: string; branding?: { primary_color?: string | null; email_footer?: string | null } }
  /** BCP 47 language tag of the texts; otherwise English. */
  language?: string
  title: string
  /** Shown by email programs next to the subject. */
  preview?: string
  paragraphs: string[]
  facts?: readonly MailFact[]
  scores?: MailScores
  action?: MailLink
  footer?: string
  footerLink?: MailLink
}
