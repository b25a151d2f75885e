import { render } from 'preact';
import { App } from './app/app.js';
import { keepScrollPlaces } from './app/scroll-places.js';
import { takeProviderAnswer } from './app/provider-sign-in.js';
import { takeKeyFromAddress } from './app/key-from-address.js';
import { followTheme } from './app/theme.js';

// Before anything is rendered: the key must not stay in the address bar or get into copied addresses.
takeProviderAnswer();
takeKeyFromAddress();
keepScrollPlaces();
followTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
