import type { PageTexts } from '#platform/html'

type UnsubscribeTexts = {
  confirm: string
  stop: Record<'email' | 'survey', (workspace: string) => readonly [before: string, after: string]>
  unsubscribe: string
  choose: string
  done: string
  stopped: Record<'email' | 'survey', (workspace: string) => readonly [before: string, after: string]>
  preferences: (workspace: string) => string
  forAddress: string
  saved: string
  email: string
  emailHint: string
  survey: string
  surveyHint: string
  save: string
  fromEverything: string
  stillSent: string
  invalid: string
  invalidLead: string
}

/** The email address is between the two parts of a sentence. */
export const unsubscribeTexts: PageTexts<UnsubscribeTexts> = {
  en: {
    confirm: 'Unsubscribe?',
    stop: {
      email: (workspace) => [`Stop sending news and offers from ${workspace} to `, '.'],
      survey: (workspace) => [`Stop sending surveys from ${workspace} to `, '.'],
    },
    unsubscribe: 'Unsubscribe',
    choose: 'Choose what you receive',
    done: 'You are unsubscribed',
    stopped: {
      email: (workspace) => ['', ` gets no more news and offers from ${workspace}. This takes effect now.`],
      survey: (workspace) => ['', ` gets no more surveys from ${workspace}. This takes effect now.`],
    },
    preferences: (workspace) => `Emails from ${workspace}`,
    forAddress: 'for ',
    saved: 'Your choice is saved.',
    email: 'News and offers',
    emailHint: 'Without them, you get no surveys either',
    survey: 'Surveys',
    surveyHint: 'Short questions about your experience',
    save: 'Save choice',
    fromEverything: 'Unsubscribe from everything',
    stillSent: 'You still get messages about contracts, meetings and your account.',
    invalid: 'This link is not valid',
    invalidLead: 'Open the link in a newer email, or reply to it with “unsubscribe”.',
  },
  de: {
    confirm: 'Abmelden?',
    stop: {
      email: (workspace) => [`Neuigkeiten und Angebote von ${workspace} nicht mehr an `, ' senden.'],
      survey: (workspace) => [`Umfragen von ${workspace} nicht mehr an `, ' senden.'],
    },
    unsubscribe: 'Abmelden',
    choose: 'Auswählen, was Sie erhalten',
    done: 'Sie sind abgemeldet',
    stopped: {
      email: (workspace) => ['', ` erhält keine Neuigkeiten und Angebote von ${workspace} mehr. Das gilt ab sofort.`],
      survey: (workspace) => ['', ` erhält keine Umfragen von ${workspace} mehr. Das gilt ab sofort.`],
    },
    preferences: (workspace) => `E-Mails von ${workspace}`,
    forAddress: 'für ',
    saved: 'Ihre Auswahl ist gespeichert.',
    email: 'Neuigkeiten und Angebote',
    emailHint: 'Ohne sie erhalten Sie auch keine Umfragen',
    survey: 'Umfragen',
    surveyHint: 'Kurze Fragen zu Ihren Erfahrungen',
    save: 'Auswahl speichern',
    fromEverything: 'Von allem abmelden',
    stillSent: 'Nachrichten zu Verträgen, Terminen und Ihrem Konto erhalten Sie weiterhin.',
    invalid: 'Dieser Link ist nicht gültig',
    invalidLead: 'Öffnen Sie den Link in einer neueren E-Mail, oder antworten Sie darauf mit „Abmelden“.',
  },
  fr: {
    confirm: 'Se désabonner ?',
    stop: {
      email: (workspace) => [`Ne plus envoyer d’actualités ni d’offres de ${workspace} à `, '.'],
      survey: (workspace) => [`Ne plus envoyer d’enquêtes de ${workspace} à `, '.'],
    },
    unsubscribe: 'Se désabonner',
    choose: 'Choisir ce que vous recevez',
    done: 'Vous êtes désabonné',
    stopped: {
      email: (workspace) => ['', ` ne reçoit plus d’actualités ni d’offres de ${workspace}. Effet immédiat.`],
      survey: (workspace) => ['', ` ne reçoit plus d’enquêtes de ${workspace}. Effet immédiat.`],
    },
    preferences: (workspace) => `E-mails de ${workspace}`,
    forAddress: 'pour ',
    saved: 'Votre choix est enregistré.',
    email: 'Actualités et offres',
    emailHint: 'Sans elles, vous ne recevez pas non plus d’enquêtes',
    survey: 'Enquêtes',
    surveyHint: 'De courtes questions sur votre expérience',
    save: 'Enregistrer le choix',
    fromEverything: 'Se désabonner de tout',
    stillSent: 'Vous recevez toujours les messages sur les contrats, les rendez-vous et votre compte.',
    invalid: 'Ce lien n’est pas valable',
    invalidLead: 'Ouvrez le lien d’un e-mail plus récent, ou répondez-y par « désabonnement ».',
  },
  es: {
    confirm: '¿Darse de baja?',
    stop: {
      email: (workspace) => [`Dejar de enviar novedades y ofertas de ${workspace} a `, '.'],
      survey: (workspace) => [`Dejar de enviar encuestas de ${workspace} a `, '.'],
    },
    unsubscribe: 'Darse de baja',
    choose: 'Elegir lo que recibe',
    done: 'Se ha dado de baja',
    stopped: {
      email: (workspace) => ['', ` ya no recibe novedades ni ofertas de ${workspace}. Tiene efecto inmediato.`],
      survey: (workspace) => ['', ` ya no recibe encuestas de ${workspace}. Tiene efecto inmediato.`],
    },
    preferences: (workspace) => `Correos de ${workspace}`,
    forAddress: 'para ',
    saved: 'Su elección está guardada.',
    email: 'Novedades y ofertas',
    emailHint: 'Sin ellas tampoco recibe encuestas',
    survey: 'Encuestas',
    surveyHint: 'Preguntas breves sobre su experiencia',
    save: 'Guardar elección',
    fromEverything: 'Darse de baja de todo',
    stillSent: 'Seguirá recibiendo mensajes sobre contratos, reuniones y su cuenta.',
    invalid: 'Este enlace no es válido',
    invalidLead: 'Abra el enlace de un correo más reciente o respóndalo con «baja».',
  },
  pt: {
    confirm: 'Cancelar a subscrição?',
    stop: {
      email: (workspace) => [`Deixar de enviar novidades e ofertas de ${workspace} para `, '.'],
      survey: (workspace) => [`Deixar de enviar inquéritos de ${workspace} para `, '.'],
    },
    unsubscribe: 'Cancelar a subscrição',
    choose: 'Escolher o que recebe',
    done: 'A subscrição foi cancelada',
    stopped: {
      email: (workspace) => ['', ` já não recebe novidades nem ofertas de ${workspace}. Tem efeito imediato.`],
      survey: (workspace) => ['', ` já não recebe inquéritos de ${workspace}. Tem efeito imediato.`],
    },
    preferences: (workspace) => `E-mails de ${workspace}`,
    forAddress: 'para ',
    saved: 'A sua escolha foi guardada.',
    email: 'Novidades e ofertas',
    emailHint: 'Sem elas também não recebe inquéritos',
    survey: 'Inquéritos',
    surveyHint: 'Perguntas breves sobre a sua experiência',
    save: 'Guardar escolha',
    fromEverything: 'Cancelar tudo',
    stillSent: 'Continua a receber mensagens sobre contratos, reuniões e a sua conta.',
    invalid: 'Este link não é válido',
    invalidLead: 'Abra o link de um e-mail mais recente ou responda-lhe com «cancelar».',
  },
}
