import './memo.css';
import './view.css';
